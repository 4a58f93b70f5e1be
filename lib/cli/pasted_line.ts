/**
 * Command lines that people are told to try: they are to work when pasted.
 * @module
 */
import { shellQuote } from "./shell_quote.ts";

/**
 * The line with the database that this command was told on its own command
 * line; one that comes from the environment holds for the next one, too. What
 * is no command line of ours stays as it is, and a URL, which may hold a
 * password, is not repeated.
 */
export function pastedLine(line: string, dbFlag: string | undefined): string {
  if (dbFlag === undefined || dbFlag.includes("://") || !line.startsWith("queuectl ") || / --db[ =]/.test(line)) {
    return line;
  }
  return line.replace("queuectl", () => `queuectl --db ${shellQuote(dbFlag)}`);
}
