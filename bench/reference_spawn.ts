/**
 * What starting jobs costs without a queue: Deno.Command, detached, a shell that
 * sends its output to two new files, stdio null, some at a time. Compiled.
 *
 * Arguments: FOLDER COUNT CONCURRENCY. Prints the milliseconds it took.
 * @module
 */
const [folder, count, concurrency] = [Deno.args[0]!, Number(Deno.args[1]), Number(Deno.args[2])];

let started = 0;

async function slot(): Promise<void> {
  while (started < count) {
    const n = started++;
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", 'exec >"$O" 2>"$E"\ntrue'],
      env: { O: `${folder}/${n}.out`, E: `${folder}/${n}.err` },
      detached: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const { success } = await child.status;
    if (!success) throw new Error(`Run ${n} failed`);
  }
}

const start = performance.now();
await Promise.all(Array.from({ length: concurrency }, slot));
console.log(performance.now() - start);
