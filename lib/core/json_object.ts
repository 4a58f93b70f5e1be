/**
 * What JSON lets pass and a job cannot mean: a field that is written twice, of
 * which the last would count without a word, and half a character, which no
 * program could be given.
 * @module
 */

/** What is wrong with a value that was read from this text; undefined: nothing. */
export function jsonFault(text: string, value: unknown): string | undefined {
  const half = HALF.test(text) || !text.isWellFormed() ? halfCharacter(value) : undefined;
  if (half !== undefined) return half;
  // Each field ends in one such pair. More of them than fields: text in a value, or a field written twice.
  const twice = countPairs(text) === countFields(value) ? undefined : fieldWrittenTwice(text);
  return twice === undefined ? undefined : `the field ${twice} is written twice`;
}

/** Most texts have none: then nothing has to be looked for in the value. */
const HALF = /\\u[dD][89a-fA-F]/;

function countPairs(text: string): number {
  let pairs = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (before >= 0 && text.charCodeAt(before) <= SPACE) before--;
    if (text.charCodeAt(before) === QUOTE) pairs++;
  }
  return pairs;
}

const SPACE = 0x20;
const QUOTE = 0x22;

function halfCharacter(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : `half a character (an unpaired surrogate) in ${JSON.stringify(value)}`;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const found = halfCharacter(name) ?? halfCharacter(field);
    if (found !== undefined) return found;
  }
  return undefined;
}

function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let fields = inner === value ? 0 : inner.length;
  for (const field of inner) if (typeof field === "object") fields += countFields(field);
  return fields;
}

/** A text, a brace or a bracket; what stands between them does not matter. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;

/** The first such field, quoted. The text must be JSON. */
function fieldWrittenTwice(text: string): string | undefined {
  /** The fields of each object that is open; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else {
      const fields = open.at(-1);
      if (fields == null || !/^\s*:/.test(text.slice(index + token.length, index + token.length + LOOK_AHEAD))) {
        continue;
      }
      const name: unknown = JSON.parse(token);
      if (fields.has(String(name))) return token;
      fields.add(String(name));
    }
  }
  return undefined;
}

/** Spaces between a name and its colon. People write none or one. */
const LOOK_AHEAD = 100;
