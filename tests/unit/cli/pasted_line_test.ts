import { assertEquals } from "@std/assert";
import { pastedLine } from "../../../lib/cli/pasted_line.ts";

Deno.test("a line to paste names the database that this command line named", () => {
  assertEquals(pastedLine("queuectl show a", "my queue.db"), "queuectl --db 'my queue.db' show a");
  assertEquals(pastedLine("queuectl show a", "$&.db"), "queuectl --db '$&.db' show a");
});

Deno.test("a line to paste stays as it is where no database was named, or where it names one", () => {
  assertEquals(pastedLine("queuectl show a", undefined), "queuectl show a");
  assertEquals(pastedLine("queuectl enqueue --db=a.db -- sleep 5", "a.db"), "queuectl enqueue --db=a.db -- sleep 5");
});

Deno.test("a hint that is no command line stays as it is", () => {
  assertEquals(pastedLine("give another path with --db", "a.db"), "give another path with --db");
  assertEquals(pastedLine("--allow-past where that is meant", "a.db"), "--allow-past where that is meant");
});

Deno.test("a URL is not repeated: it may hold a password", () => {
  assertEquals(pastedLine("queuectl show a", "postgres://me:secret@host/db"), "queuectl show a");
});
