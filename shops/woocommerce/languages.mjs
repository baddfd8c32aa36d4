// node shops/woocommerce/languages.mjs: reads what can be translated into languages/*.pot and brings each
// .po up to it. With --check it changes nothing and fails where something is missing. Needs gettext.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const here = import.meta.dirname;
const folder = path.join(here, 'languages');
const template = 'quittance-for-woocommerce.pot';

function run(program, words, cwd = here) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} (apt-get install gettext): ${stderr ?? error}`);
  return stdout;
}

function makeTemplate() {
  const sources = fs
    .readdirSync(path.join(here, 'src'))
    .sort()
    .map((name) => `src/${name}`);
  const keywords = ['__', 'esc_html__'].map((name) => `--keyword=${name}`);
  const words = ['--language=PHP', '--from-code=UTF-8', '--add-comments=translators', '--no-wrap'];
  const made = run('xgettext', [
    ...words,
    '-k',
    ...keywords,
    '--omit-header',
    '-o',
    '-',
    ...sources,
  ]);
  const head = [
    'msgid ""',
    'msgstr ""',
    '"Project-Id-Version: Quittance for WooCommerce\\n"',
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    '"Content-Transfer-Encoding: 8bit\\n"',
  ];
  // Without the line a text stands in, a change elsewhere is no change here.
  return `${head.join('\n')}\n\n${made.replaceAll(/^(#: .*?):\d+.*$/gm, '$1')}`;
}

/** Faults of what is in the folder; none when all is translated. */
export function listFaults() {
  const faults = [];
  const made = makeTemplate();
  if (fs.readFileSync(path.join(folder, template), 'utf8') !== made) {
    faults.push(`${template} is not what the sources say: run shops/woocommerce/languages.mjs`);
  }
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.po'))) {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'languages-'));
    fs.writeFileSync(path.join(scratch, template), made);
    const merged = path.join(scratch, file);
    const options = ['--no-fuzzy-matching', '--no-wrap', '-o', merged];
    run('msgmerge', ['-q', ...options, path.join(folder, file), path.join(scratch, template)]);
    const left =
      run('msgattrib', ['--untranslated', merged]) + run('msgattrib', ['--only-fuzzy', merged]);
    if (left.trim() !== '') faults.push(`${file}: not translated:\n${left}`);
    run('msgfmt', ['--check', '-o', path.join(scratch, 'trial.mo'), merged]);
    fs.rmSync(scratch, { recursive: true });
  }
  return faults;
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--check')) {
    const faults = listFaults();
    for (const fault of faults) console.log(fault);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } else {
    fs.writeFileSync(path.join(folder, template), makeTemplate());
    for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.po'))) {
      run(
        'msgmerge',
        ['-q', '--update', '--backup=none', '--no-wrap', '--no-fuzzy-matching', file, template],
        folder,
      );
    }
  }
}
