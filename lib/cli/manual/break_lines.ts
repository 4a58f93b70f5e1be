/**
 * Command lines that are too long for a page of 80 columns, in pieces that can
 * still be pasted: broken behind a pipe, or at a space outside quotes with ` \`
 * at the end of the line.
 * @module
 */

/** What is left of 80 columns behind the indents of a section and of an example. */
const COLUMNS = 66;

/** A command line for a shell. */
export function brokenCommand(line: string): readonly string[] {
  if (line.length <= COLUMNS) return [line];
  const stages = line.split(/ \| (?=(?:[^']*'[^']*')*[^']*$)/);
  return stages.flatMap((stage, i) => {
    const start = i === 0 ? "" : "  ";
    const end = i === stages.length - 1 ? "" : " |";
    return atSpaces(start + stage + end, `${start}  `, " \\");
  });
}

/** A usage line: nobody pastes it. */
export function brokenUsage(line: string): readonly string[] {
  return atSpaces(line, "    ", "");
}

function atSpaces(line: string, indent: string, joint: string): readonly string[] {
  const words = line.trimStart().match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  const lines: string[] = [];
  let current = line.slice(0, line.length - line.trimStart().length);
  for (const word of words) {
    if (current.trim() !== "" && current.length + 1 + word.length + joint.length > COLUMNS) {
      lines.push(current + joint);
      current = indent + word;
    } else {
      current += current.trim() === "" ? word : ` ${word}`;
    }
  }
  return [...lines, current];
}
