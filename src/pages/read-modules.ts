// Scripts that the browser loads as modules (ECMA-262), each a file of its own under a name with
// the hash of what it says. There is no build: a module of a package travels as the package ships
// it, and only the names of what it imports are replaced by addresses here.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ScriptModule = { readonly path: string; readonly body: string };

/** As these few files write it: `import { a } from './b.js';`. */
const IMPORTED = /^(import [^;]*? from )(['"])([^'"]+)\2/gm;

/** The module itself first, then all that it needs. `url`: of its file. */
export function readModules(url: string): readonly ScriptModule[] {
  const modules = new Map<string, ScriptModule>();
  readModule(url, modules);
  return [...modules.values()].toReversed();
}

function readModule(url: string, modules: Map<string, ScriptModule>): ScriptModule {
  const known = modules.get(url);
  if (known !== undefined) return known;
  const file = fileURLToPath(url);
  const body = withoutComments(readFileSync(file, 'utf8')).replaceAll(
    IMPORTED,
    (_whole, start: string, quote: string, name: string) => {
      const target = name.startsWith('.') ? new URL(name, url).href : import.meta.resolve(name);
      return `${start}${quote}${readModule(target, modules).path}${quote}`;
    },
  );
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const name = basename(file).replace(/^_|\.m?js$/g, '');
  const module = { path: `/assets/${name}-${digest}.js`, body };
  modules.set(url, module);
  return module;
}

/** Whoever pays need not load them; that of a licence (`/*!`) stays. */
function withoutComments(text: string): string {
  return text.replaceAll(/^ *\/\/.*\n/gm, '').replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');
}
