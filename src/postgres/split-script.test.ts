import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readMigrations } from './migrate.ts';
import { splitScript } from './split-script.ts';

const STORIES: readonly (readonly [name: string, script: string, commands: readonly string[]])[] = [
  ['nothing', ' \n', []],
  ['one without an end', 'select 1', ['select 1']],
  ['one with an end', 'select 1;\n', ['select 1']],
  ['two', 'select 1; select 2', ['select 1', ' select 2']],
  ['a text', "select ';', 'it''s;'; select 2", ["select ';', 'it''s;'", ' select 2']],
  ['a name', 'select ";"; select 2', ['select ";"', ' select 2']],
  ['a comment', "-- it's; no\nselect 1; -- more; of it\n", ["-- it's; no\nselect 1"]],
  ['a long comment', "/* it's; no */ select 1;", ["/* it's; no */ select 1"]],
  ['a body', 'do $$ begin; end $$; select 2', ['do $$ begin; end $$', ' select 2']],
  ['a named body', "do $a$ $$;$$ ';' $a$; select 2", ["do $a$ $$;$$ ';' $a$", ' select 2']],
  ['signs', 'select 4 - 2 / 2, $1; select 2', ['select 4 - 2 / 2, $1', ' select 2']],
];
for (const [name, script, commands] of STORIES) {
  test(`a script is split into its commands: ${name}`, () => {
    assert.deepEqual(splitScript(script), commands);
  });
}

test('of each migration nothing is lost, and each command is one', async () => {
  const begins =
    /^(?:alter|create|drop|insert|update|delete|do|comment|grant|revoke|select|with|lock|set)\b/i;
  for (const { name, text } of await readMigrations(
    join(import.meta.dirname, '../../migrations'),
  )) {
    const commands = splitScript(text);
    assert.ok(commands.length > 0, name);
    for (const command of commands) {
      const said = command.replace(/^(?:\s+|--[^\n]*\n)+/, '');
      assert.match(said, begins, `${name}: ${said.slice(0, 80)}`);
    }
    const bare = (script: string) => script.replace(/--.*/g, '').replace(/[\s;]/g, '');
    assert.equal(bare(commands.join('\n')), bare(text), name);
  }
});
