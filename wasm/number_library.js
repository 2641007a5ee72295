// The imports of src/base/number.cc: JavaScript's conversions between doubles and text, which is ASCII.

mergeInto(LibraryManager.library, {
  ShardlineParseDouble__sig: 'dii',
  ShardlineParseDouble: function(text, size) {
    var digits = '';
    for (var i = 0; i < size; ++i) digits += String.fromCharCode(HEAPU8[text + i]);
    return +digits;
  },

  ShardlinePrintDouble__sig: 'idi',
  ShardlinePrintDouble: function(value, out) {
    var digits = String(value);
    for (var i = 0; i < digits.length; ++i) HEAPU8[out + i] = digits.charCodeAt(i);
    return digits.length;
  },
});
