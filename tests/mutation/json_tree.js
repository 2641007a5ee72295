// JSON in a tree that can also hold texts that JSON.stringify would never write: a member twice, any digits, any text.

/**
 * @typedef {{kind: 'object', members: [key: string, value: Node][]}} ObjectNode Keys are raw texts, with their quotes.
 * @typedef {{kind: 'array', elements: Node[]}} ArrayNode
 * @typedef {{kind: 'scalar', text: string}} ScalarNode
 * @typedef {ObjectNode | ArrayNode | ScalarNode} Node
 *
 * @typedef {object} Place A node, and how to put another in its place.
 * @property {Node} node
 * @property {string} key The name of the member that holds it, or that holds the array around it.
 * @property {string} path All names on the way to it.
 * @property {(node: Node) => void} replace
 */

/** @param {unknown} value @returns {Node} */
export function toTree(value) {
  if (Array.isArray(value)) return { kind: 'array', elements: value.map(toTree) };
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', members: Object.entries(value).map(([key, member]) => [JSON.stringify(key), toTree(member)]) };
  }
  return { kind: 'scalar', text: JSON.stringify(value) };
}

/** @param {Node} node @returns {string} */
export function toText(node) {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(([key, value]) => `${key}:${toText(value)}`).join(',')}}`;
    case 'array':
      return `[${node.elements.map(toText).join(',')}]`;
    default:
      return node.text;
  }
}

/** @param {Node} root @param {(node: Node) => void} replaceRoot @returns {Place[]} All nodes. */
export function places(root, replaceRoot) {
  /** @type {Place[]} */
  const found = [];
  /** @param {Place} place */
  const visit = (place) => {
    found.push(place);
    const { node, key, path } = place;
    if (node.kind === 'object') {
      node.members.forEach((member) => {
        const name = member[0].slice(1, -1);
        visit({ node: member[1], key: name, path: `${path}/${name}`, replace: (next) => { member[1] = next; } });
      });
    } else if (node.kind === 'array') {
      node.elements.forEach((element, index) => {
        visit({ node: element, key, path, replace: (next) => { node.elements[index] = next; } });
      });
    }
  };
  visit({ node: root, key: '', path: '', replace: replaceRoot });
  return found;
}

/** @param {Node} node @returns {Node} */
export function copyOf(node) {
  if (node.kind === 'object') return { kind: 'object', members: node.members.map(([key, value]) => [key, copyOf(value)]) };
  if (node.kind === 'array') return { kind: 'array', elements: node.elements.map(copyOf) };
  return { ...node };
}
