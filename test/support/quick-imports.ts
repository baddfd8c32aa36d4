// Loaded before every test file of a run: finds our own files as Node does (`imports` of package.json,
// and paths), without reading package.json and asking the disk for each of some thousand imports,
// which is a quarter of what a process costs that loads the program.
import { type ResolveFnOutput, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import description from '../../package.json' with { type: 'json' };

const folderOf = (target: string) =>
  pathToFileURL(join(import.meta.dirname, '..', '..', target.replace(/\*$/, ''))).href;
const program = folderOf('src/');
/** From the longest beginning to the shortest: '#test/' before '#'. */
const folders = Object.entries(description.imports)
  .map(([name, target]) => ({ beginning: name.replace(/\*$/, ''), folder: folderOf(target) }))
  .sort((one, other) => other.beginning.length - one.beginning.length);

/** Asked for by a file of the program, all of which find the same ones. */
const packages = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    const url = specifier.endsWith('.ts') ? find(specifier, parentURL) : undefined;
    if (url !== undefined) return { url, format: 'module-typescript', shortCircuit: true };
    const isShared = isPackage(specifier) && parentURL?.startsWith(program);
    if (isShared !== true) return next(specifier, context);
    const asked = `${specifier} ${conditions.join(' ')}`;
    const found = packages.getOrInsertComputed(asked, () => next(specifier, context));
    return { ...found, shortCircuit: true };
  },
});

function find(specifier: string, parent: string | undefined): string | undefined {
  if (specifier.startsWith('.')) return URL.parse(specifier, parent)?.href;
  const found = folders.find(({ beginning }) => specifier.startsWith(beginning));
  return found && found.folder + specifier.slice(found.beginning.length);
}

const isPackage = (specifier: string) => /^(?:@[\w.-]+\/)?\w/.test(specifier);
