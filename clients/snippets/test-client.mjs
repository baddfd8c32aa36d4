// npm run test:clients -- snippets: what the manual shows in Ruby, Go, Java and C#, by the vectors of
// signing and of webhooks. A language whose programs are not here is said, and passes nothing.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** `build` once, then `run` answers one line for each on its input. */
const languages = {
  ruby: { program: 'ruby', install: 'apt-get install ruby', run: ['ruby', 'answer.rb'] },
  go: {
    program: 'go',
    install: 'Go 1.21 or later (https://go.dev)',
    build: (out) => ['go', 'build', '-o', path.join(out, 'answer'), '.'],
    run: [path.join('OUT', 'answer')],
  },
  java: {
    program: 'javac',
    install: 'apt-get install openjdk-17-jdk-headless',
    build: (out) => ['javac', '-encoding', 'UTF-8', '-d', out, 'Quittance.java', 'Answer.java'],
    run: ['java', '-cp', 'OUT', 'Answer'],
  },
  csharp: {
    program: 'mcs',
    install: 'apt-get install mono-mcs mono-runtime',
    build: (out) => ['mcs', `-out:${path.join(out, 'answer.exe')}`, 'Quittance.cs', 'Answer.cs'],
    run: ['mono', path.join('OUT', 'answer.exe')],
  },
};

export async function testClient({ root, output }) {
  const questions = questionsOf(path.join(root, 'clients', 'vectors'));
  const input = questions.map(({ line }) => `${line}\n`).join('');
  const results = Object.entries(languages).map(([name, language]) => {
    const folder = path.join(root, 'clients', 'snippets', name);
    const answers = ask(language, folder, path.join(output, name), input);
    if (answers === undefined) {
      console.log(`not here: ${name} (${language.install})`);
      return false;
    }
    const wrong = questions.filter(({ wanted }, at) => answers[at] !== wanted);
    for (const question of wrong) console.log(`FAILED  ${name}: ${question.name}`);
    console.log(`${name}: ${questions.length - wrong.length} of ${questions.length}`);
    return wrong.length === 0;
  });
  return results.every((isPassed) => isPassed);
}

/** The lines that it said; undefined where the language is not here. */
function ask({ program, build, run }, folder, out, input) {
  if (spawnSync('which', [program]).status !== 0) return undefined;
  fs.mkdirSync(out, { recursive: true });
  if (build !== undefined) execute(build(out), folder);
  const [first, ...words] = run.map((word) => word.replace('OUT', out));
  return execute([first, ...words], folder, input).split(/\r?\n/);
}

function execute([program, ...words], cwd, input = '') {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** One line for each vector, and the line that answers it. */
function questionsOf(folder) {
  const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  const line = (what, ...fields) =>
    [what, ...fields.map((field) => Buffer.from(field).toString('hex'))].join(' ');
  const signed = read('signing').requests.map((one) => {
    const body = one.bodyHex === undefined ? one.body : Buffer.from(one.bodyHex, 'hex');
    const { name, secret, path: signedPath, timestamp, method, signature } = one;
    const question = line('sign', secret, signedPath, String(timestamp), method, body);
    return { name, line: question, wanted: signature };
  });
  const webhooks = read('webhooks')
    .webhooks.filter(({ secret, outcome }) => {
      // Lists of secrets and the text of a body are no matter of a signature.
      return typeof secret === 'string' && outcome !== 'payload_malformed';
    })
    .map((one) => {
      const { name, secret, payload, now, toleranceSeconds, outcome } = one;
      const headers = new Map(
        Object.entries(one.headers).map(([header, value]) => [header.toLowerCase(), value]),
      );
      const of = (header) => headers.get(header) ?? '';
      const isStandard = secret === '' || secret.startsWith('whsec_');
      const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(of);
      const times = [String(now), String(toleranceSeconds ?? 300)];
      const question = isStandard
        ? line('verify', secret, ...standard, payload, ...times)
        : line('auth', secret, of('x-webhook-auth'), payload);
      return { name, line: question, wanted: String(outcome === 'good') };
    });
  return [...signed, ...webhooks];
}
