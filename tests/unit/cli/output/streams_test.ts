import { assertEquals, assertThrows } from "@std/assert";
import { OutputClosedError, type Sink, writeErr, writeOut } from "../../../../lib/cli/output/streams.ts";
import { QueuectlError } from "../../../../lib/core/errors.ts";

/** Takes at most `most` bytes at a time, after failing once with each of `errors`. */
function aSink(most: number, errors: Error[] = []): Sink & { text(): string } {
  const taken: number[] = [];
  return {
    writeSync(bytes) {
      const error = errors.shift();
      if (error !== undefined) throw error;
      taken.push(...bytes.subarray(0, most));
      return Math.min(most, bytes.length);
    },
    text: () => new TextDecoder().decode(new Uint8Array(taken)),
  };
}

Deno.test("a stream that takes a few bytes at a time gets all of them", () => {
  const sink = aSink(3);

  writeOut("schöne Grüße", sink);

  assertEquals(sink.text(), "schöne Grüße");
});

Deno.test("a pipe that is full for a moment is tried again", () => {
  const sink = aSink(100, [new Deno.errors.WouldBlock("full"), new Deno.errors.Interrupted("signal")]);

  writeOut("all of it", sink);

  assertEquals(sink.text(), "all of it");
});

Deno.test("a closed pipe is told apart from a failure", () => {
  assertThrows(() => writeOut("x", aSink(1, [new Deno.errors.BrokenPipe("gone")])), OutputClosedError);
  assertThrows(
    () => writeOut("x", aSink(1, [new Error("No space left on device (os error 28)")])),
    QueuectlError,
    "Cannot write to standard output: No space left on device (os error 28)",
  );
});

Deno.test("a stderr that cannot be written is ignored", () => {
  writeErr("x", aSink(1, [new Error("Input/output error (os error 5)")]));
});
