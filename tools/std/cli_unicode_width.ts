/**
 * `@std/cli/unicode-width`, written here: the npm copy of the standard library
 * lacks the table its own version reads.
 *
 * Approximates Unicode's East Asian Width by blocks, which is what terminals do
 * too. What terminals disagree about (ambiguous width, emoji joined with ZWJ)
 * counts as its separate parts.
 * @module
 */

/** First and last code point of the blocks drawn two columns wide, in order. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f], // Hangul Jamo, initial consonants
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f0],
  [0x23f3, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e], // CJK radicals and punctuation
  [0x3041, 0x33ff], // Kana, Bopomofo, CJK compatibility
  [0x3400, 0x4dbf], // CJK extension A
  [0x4e00, 0x9fff], // CJK unified ideographs
  [0xa000, 0xa4cf], // Yi
  [0xa960, 0xa97f], // Hangul Jamo extended A
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff], // CJK compatibility ideographs
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60], // full-width forms
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff], // Tangut
  [0x1aff0, 0x1b2ff], // Kana extensions
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f335],
  [0x1f337, 0x1f37c],
  [0x1f37e, 0x1f393],
  [0x1f3a0, 0x1f3ca],
  [0x1f3cf, 0x1f3d3],
  [0x1f3e0, 0x1f3f0],
  [0x1f3f4, 0x1f3f4],
  [0x1f3f8, 0x1f43e],
  [0x1f440, 0x1f440],
  [0x1f442, 0x1f4fc],
  [0x1f4ff, 0x1f53d],
  [0x1f54b, 0x1f54e],
  [0x1f550, 0x1f567],
  [0x1f57a, 0x1f57a],
  [0x1f595, 0x1f596],
  [0x1f5a4, 0x1f5a4],
  [0x1f5fb, 0x1f64f],
  [0x1f680, 0x1f6c5],
  [0x1f6cc, 0x1f6cc],
  [0x1f6d0, 0x1f6d2],
  [0x1f6d5, 0x1f6d7],
  [0x1f6dc, 0x1f6df],
  [0x1f6eb, 0x1f6ec],
  [0x1f6f4, 0x1f6fc],
  [0x1f7e0, 0x1f7eb],
  [0x1f7f0, 0x1f7f0],
  [0x1f90c, 0x1f93a],
  [0x1f93c, 0x1f945],
  [0x1f947, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd], // CJK extensions B and later
];

/** Control characters, combining marks and invisible formatting; the soft hyphen is shown. */
const ZERO_WIDTH = /^[\p{Cc}\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const ASCII_ONLY = /^[\x20-\x7e]*$/;
const SOFT_HYPHEN = 0xad;

/** The number of terminal columns `str` takes. */
export function unicodeWidth(str: string): number {
  if (ASCII_ONLY.test(str)) return str.length;

  let width = 0;
  for (const character of str) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): 0 | 1 | 2 {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint !== SOFT_HYPHEN && ZERO_WIDTH.test(character)) return 0;
  return isWide(codePoint) ? 2 : 1;
}

function isWide(codePoint: number): boolean {
  for (const [first, last] of WIDE) {
    if (codePoint < first) return false;
    if (codePoint <= last) return true;
  }
  return false;
}
