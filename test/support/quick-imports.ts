// Loaded before every test file of a run: finds our own files as Node does (`imports` of package.json,
// and paths), without reading package.json and asking the disk for each of some thousand imports,
// which is a quarter of what a process costs that loads the program.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import description from '../../package.json' with { type: 'json' };

const folderOf = (target: string) =>
  pathToFileURL(join(import.meta.dirname, '..', '..', target.replace(/\*$/, ''))).href;
/** From the longest beginning to the shortest: '#test/' before '#'. */
const folders = Object.entries(description.imports)
  .map(([name, target]) => ({ beginning: name.replace(/\*$/, ''), folder: folderOf(target) }))
  .sort((one, other) => other.beginning.length - one.beginning.length);

registerHooks({
  resolve(specifier, context, next) {
    const url = specifier.endsWith('.ts') ? find(specifier, context.parentURL) : undefined;
    if (url === undefined) return next(specifier, context);
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});

function find(specifier: string, parent: string | undefined): string | undefined {
  if (specifier.startsWith('.')) return URL.parse(specifier, parent)?.href;
  const found = folders.find(({ beginning }) => specifier.startsWith(beginning));
  return found && found.folder + specifier.slice(found.beginning.length);
}
