/**
 * Cuts a stream of bytes at line ends: gives back whole lines, keeps the
 * beginning of the next one until its end arrives.
 * @module
 */
const NEWLINE = 10;
const NOTHING = new Uint8Array();

export class WholeLines {
  /** The beginning of a line, in the pieces in which it came. */
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** How much of a line has come without its end. */
  get pending(): number {
    return this.#length;
  }

  /** The lines that this piece completes, with their line ends; the piece must not be changed afterwards. */
  push(piece: Uint8Array): Uint8Array {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    const whole = end === 0 ? NOTHING : this.#joined(piece.subarray(0, end));
    const rest = piece.subarray(end);
    if (rest.length > 0) {
      this.#pieces.push(rest);
      this.#length += rest.length;
    }
    return whole;
  }

  /** The last line, when it has no line end. */
  end(): Uint8Array {
    return this.#joined(NOTHING);
  }

  #joined(last: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return last;
    const all = new Uint8Array(this.#length + last.length);
    let at = 0;
    for (const piece of [...this.#pieces, last]) {
      all.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#length = 0;
    return all;
  }
}
