// Fails when a file in src/ includes a header of a room that its own room may not use. A room may use the rooms that its shardline_room in
// src/CMakeLists.txt LINKS, directly or through another room.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** @type {Map<string, string[]>} */
const links = new Map();
const lists = readFileSync(source + 'CMakeLists.txt', 'utf8');
for (const [, room, body] of lists.matchAll(/^shardline_room\((\w+)([^)]*)\)/gm)) {
  links.set(room, [...body.matchAll(/shardline::(\w+)/g)].map(([, name]) => name));
}

/** @param {string} room @returns {Set<string>} the rooms it may include from, itself among them */
function allowed(room) {
  return new Set([room, ...(links.get(room) ?? []).flatMap((below) => [...allowed(below)])]);
}

const complaints = [];
for (const room of links.keys()) {
  const rooms = allowed(room);
  for (const file of readdirSync(source + room).filter((name) => /\.(cc|h)$/.test(name))) {
    const text = readFileSync(`${source}${room}/${file}`, 'utf8');
    for (const [, header, from] of text.matchAll(/^#include "((\w+)\/[^"]+)"/gm)) {
      if (!rooms.has(from)) complaints.push(`src/${room}/${file} includes ${header}, which ${room} may not use`);
    }
    if (file.endsWith('.cc') && !lists.includes(`    ${file}\n`)) {
      complaints.push(`src/${room}/${file} is in no source list of src/CMakeLists.txt`);
    }
  }
}
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
