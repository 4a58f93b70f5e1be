/** What JSON lets pass and a job cannot mean. @module */
import { assertEquals, assertMatch } from "@std/assert";
import { jsonFault } from "../../../lib/core/json_object.ts";

function faultOf(text: string): string | undefined {
  return jsonFault(text, JSON.parse(text));
}

for (
  const [text, field] of [
    ['{"id":"a","id":"b"}', '"id"'],
    ['{"env":{"A":"1","B":"2","A":"3"}}', '"A"'],
    ['{"command" : "x", "tags":["a"], "command":"y"}', '"command"'],
    ['{"id":"a","i\\u0064":"b"}', '"i\\u0064"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    ['{"a":"\\":","b":{"c":1},"b":[]}', '"b"'],
  ] as const
) {
  Deno.test(`a field that is written twice is found: ${text}`, () => {
    assertEquals(faultOf(text), `the field ${field} is written twice`);
  });
}

for (
  const text of [
    '{"id":"a","command":"echo \\"id\\": 1, \\"id\\": 2"}',
    '{"env":{"A":"1"},"exit_rules":{"A":"1"},"tags":["A","A"]}',
    '{"argv":["a:","\\":","{\\"x\\":1,\\"x\\":2}"]}',
    '{"a":[{"b":1},{"b":2}]}',
    '{"command":"echo \\ud83d\\ude00 \\\\ud800"}',
    "{}",
  ]
) {
  Deno.test(`nothing is wrong with ${text}`, () => assertEquals(faultOf(text), undefined));
}

for (const text of ['{"command":"echo \\ud800"}', '{"env":{"A":"\\udc00x"}}', '{"tags":["\\uDBFF"]}']) {
  Deno.test(`half a character is found: ${text}`, () => assertMatch(faultOf(text) ?? "", /^half a character/));
}
