// Random JSON documents, and random damage to them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/utf8.h"

namespace shardline {

class RandomJson {
 public:
  explicit RandomJson(std::uint64_t seed) : random_(seed) {}

  // A document with white space, escapes and all kinds of number.
  std::string Document() {
    out_.clear();
    Value(0);
    Space();
    return out_;
  }

  // An object or array.
  std::string Container() {
    out_.clear();
    if (Coin()) {
      Object(0);
    } else {
      Array(0);
    }
    return out_;
  }

  // Inserts, removes or replaces a few bytes.
  std::string Damage(std::string text) {
    constexpr std::string_view kBytes = "{}[]\",:\\ud8ceE+-.01fnt \n\x01\x7f\x80\xc3\xff";
    for (std::size_t count = 1 + Below(3); count > 0; --count) {
      const std::size_t at = Below(text.size() + 1);
      const char byte = Below(20) == 0 ? '\0' : kBytes[Below(kBytes.size())];
      switch (Below(4)) {
        case 0:
          text.insert(at, 1, byte);
          break;
        case 1:
          text.erase(at, 1 + Below(3));
          break;
        case 2:
          if (at < text.size()) text[at] = byte;
          break;
        default:
          text.resize(at);
      }
    }
    return text;
  }

  std::size_t Below(std::size_t bound) {
    return static_cast<std::size_t>(random_.Below(static_cast<std::uint64_t>(bound)));
  }
  bool Coin() { return Below(2) == 0; }

 private:
  void Space() {
    constexpr std::string_view kSpaces = " \n\r\t";
    if (Coin()) return;
    for (std::size_t count = Below(Coin() ? 3 : 20); count > 0; --count) out_ += kSpaces[Below(4)];
  }

  void Value(int depth) {
    Space();
    switch (Below(depth > 5 ? 5 : 8)) {
      case 0:
        out_ += "null";
        break;
      case 1:
        out_ += Coin() ? "true" : "false";
        break;
      case 2:
        Number();
        break;
      case 3:
      case 4:
        String();
        break;
      case 5:
        Array(depth);
        break;
      default:
        Object(depth);
    }
  }

  void Object(int depth) {
    out_ += '{';
    for (std::size_t count = Below(6), i = 0; i < count; ++i) {
      if (i > 0) out_ += ',';
      Space();
      String();
      Space();
      out_ += ':';
      Value(depth + 1);
      Space();
    }
    Space();
    out_ += '}';
  }

  void Array(int depth) {
    out_ += '[';
    for (std::size_t count = Below(6), i = 0; i < count; ++i) {
      if (i > 0) out_ += ',';
      Value(depth + 1);
      Space();
    }
    Space();
    out_ += ']';
  }

  void Digits() {
    for (std::size_t count = 1 + Below(Coin() ? 3 : 19); count > 0; --count) {
      out_ += static_cast<char>('0' + Below(10));
    }
  }

  void Number() {
    if (Coin()) out_ += '-';
    if (Coin()) {
      out_ += '0';
    } else {
      out_ += static_cast<char>('1' + Below(9));
      if (Coin()) Digits();
    }
    if (Coin()) {
      out_ += '.';
      Digits();
    }
    if (Below(3) == 0) {
      out_ += Coin() ? 'e' : 'E';
      if (Coin()) out_ += Coin() ? '-' : '+';
      out_ += std::to_string(Below(Coin() ? 10 : 280));
    }
  }

  void Unicode(std::uint32_t unit) {
    constexpr std::string_view kHex = "0123456789abcdefABCDEF";
    out_ += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
      const std::uint32_t digit = unit >> shift & 15;
      out_ += kHex[digit > 9 && Coin() ? digit + 6 : digit];
    }
  }

  void String() {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    out_ += '"';
    for (std::size_t count = Below(Coin() ? 4 : 45); count > 0; --count) {
      switch (Below(12)) {
        case 0:
          out_ += '\\';
          out_ += kEscapes[Below(kEscapes.size())];
          break;
        case 1:
          Unicode(static_cast<std::uint32_t>(Below(0xD800)));
          break;
        case 2:
          Unicode(static_cast<std::uint32_t>(0xD800 + Below(0x400)));
          Unicode(static_cast<std::uint32_t>(0xDC00 + Below(0x400)));
          break;
        case 3:
          AppendUtf8(out_, static_cast<std::uint32_t>(0x80 + Below(0xD800 - 0x80)));
          break;
        case 4:
          AppendUtf8(out_, static_cast<std::uint32_t>(0x10000 + Below(0x100000)));
          break;
        case 5:
          out_ += "{}[],:"[Below(6)];
          break;
        default:
          out_ += static_cast<char>('a' + Below(26));
      }
    }
    out_ += '"';
  }

  Random random_;
  std::string out_;
};

}  // namespace shardline
