/**
 * Something happened: whoever waits looks again. Rings that nobody waited for
 * are remembered as one.
 * @module
 */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;
  #timer: number | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Returns at the next ring, at once when it rang since the last wait, or after the time. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
        this.#timer = setTimeout(wake, ms);
      });
      clearTimeout(this.#timer);
      this.#wake = undefined;
    }
    this.#isRung = false;
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
