// The source as the compiler reads it, for rules that patterns cannot hold exactly: what a file
// exports and imports, how long its functions are, which SQL stands in it. Only parsed, not checked.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import * as ts from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

export const ROOT = dirname(dirname(import.meta.dirname));

export type ImportOf = {
  /** A file of ours from the root (`src/db/db.ts`), or the name of a package. */
  readonly from: string;
  /** `*` for all of it. */
  readonly names: readonly string[];
};
export type ExportOf = {
  readonly name: string;
  /** Beside where it is declared. */
  readonly isUsedInFile: boolean;
  /** Made by `defineTable`. */
  readonly isTable: boolean;
  /** `export { name } from …`: declared in another file. */
  readonly isForward: boolean;
};
type Exported = Omit<ExportOf, 'isUsedInFile'>;
export type FunctionOf = { readonly name: string; readonly lines: number };
export type ReadFile = {
  readonly path: string;
  /** `checkout` of `src/checkout/settle.ts`; empty outside of src and for files that stand loose. */
  readonly folder: string;
  /** Part of the product: in src, and no test. */
  readonly isProduct: boolean;
  readonly imports: readonly ImportOf[];
  readonly exports: readonly ExportOf[];
  readonly functions: readonly FunctionOf[];
  /** The text of every `sql` template. */
  readonly statements: readonly string[];
  /** The tables it declares with `defineTable`. */
  readonly tables: readonly string[];
};

/** A project of these files alone: nothing they import is looked up. */
const PROJECT = join(ROOT, 'source-alone.json');

export function readSource(): ReadFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'test', 'bench', 'scripts'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const files = listed
    .split('\n')
    .filter((path) => path.endsWith('.ts') && existsSync(join(ROOT, path)));
  const config = JSON.stringify({
    compilerOptions: { noLib: true, noResolve: true, types: [], allowImportingTsExtensions: true },
    files,
  });
  const compiler = new API({
    cwd: ROOT,
    fs: {
      readFile: (path) => (path === PROJECT ? config : undefined),
      fileExists: (path) => (path === PROJECT ? true : undefined),
    },
  });
  try {
    const project = compiler.updateSnapshot({ openProjects: [PROJECT] }).getProject(PROJECT);
    return files.map((path) => {
      const parsed = project?.program.getSourceFile(join(ROOT, path));
      if (parsed === undefined) throw new Error(`${path} was not parsed`);
      return readFile(path, parsed);
    });
  } finally {
    compiler.close();
  }
}

function readFile(path: string, file: ts.SourceFile): ReadFile {
  const parts = path.split('/');
  const found = {
    imports: [] as ImportOf[],
    exports: [] as Exported[],
    functions: [] as FunctionOf[],
    statements: [] as string[],
    tables: [] as string[],
    used: new Set<string>(),
  };
  for (const statement of file.statements) {
    found.exports.push(...exportsOf(statement));
    const taken = importOf(statement, path);
    if (taken !== undefined) found.imports.push(taken);
  }
  const visit = (node: ts.Node): undefined => {
    if (isFunction(node)) found.functions.push(functionOf(node, file));
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'sql')
      found.statements.push(node.template.getText(file));
    if (ts.isCallExpression(node)) {
      const first = node.arguments[0];
      if (first !== undefined && ts.isStringLiteral(first)) {
        if (node.expression.kind === ts.SyntaxKind.ImportKeyword)
          found.imports.push({ from: resolve(first.text, path), names: ['*'] });
        if (node.expression.getText(file) === 'defineTable') found.tables.push(first.text);
      }
    }
    if (ts.isIdentifier(node) && isUse(node)) found.used.add(node.text);
    node.forEachChild(visit);
    return undefined;
  };
  visit(file);
  const { used, ...rest } = found;
  return {
    path,
    folder: parts[0] === 'src' && parts.length > 2 ? (parts[1] ?? '') : '',
    isProduct: parts[0] === 'src' && !path.endsWith('.test.ts'),
    ...rest,
    exports: rest.exports.map((one) => ({ ...one, isUsedInFile: used.has(one.name) })),
  };
}

function importOf(statement: ts.Statement, path: string): ImportOf | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const specifier = statement.moduleSpecifier;
  if (specifier === undefined || !ts.isStringLiteral(specifier)) return undefined;
  const from = resolve(specifier.text, path);
  const named = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  if (named === undefined) return { from, names: ts.isImportDeclaration(statement) ? [] : ['*'] };
  if (!ts.isNamedImports(named) && !ts.isNamedExports(named)) return { from, names: ['*'] };
  return { from, names: named.elements.map((one) => (one.propertyName ?? one.name).text) };
}

function exportsOf(statement: ts.Statement): Exported[] {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    if (clause === undefined || !ts.isNamedExports(clause)) return [];
    return clause.elements.map((one) => ({
      name: one.name.text,
      isTable: false,
      isForward: true,
    }));
  }
  const isExported =
    'modifiers' in statement &&
    (statement as { modifiers?: readonly ts.Node[] }).modifiers?.some(
      (one) => one.kind === ts.SyntaxKind.ExportKeyword,
    );
  if (isExported !== true) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((one) => ({
      name: one.name.getText(),
      isTable: one.initializer?.getText().startsWith('defineTable(') ?? false,
      isForward: false,
    }));
  const { name } = statement as { name?: ts.Identifier };
  return name === undefined ? [] : [{ name: name.text, isTable: false, isForward: false }];
}

/** A name that stands for something declared elsewhere: no declaration, no property. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return !('name' in parent && parent.name === node);
}

type Body =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration;

function isFunction(node: ts.Node): node is Body {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  );
}

function functionOf(node: Body, file: ts.SourceFile): FunctionOf {
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const { parent } = node;
  const named = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent : node;
  const name = ts.isArrowFunction(named) ? undefined : named.name;
  return {
    name: name?.getText(file) ?? '(without a name)',
    lines: lineAt(node.end) - lineAt(node.getStart(file)) + 1,
  };
}

function resolve(specifier: string, path: string): string {
  if (specifier.startsWith('#test/')) return specifier.slice(1);
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier));
  return specifier;
}
