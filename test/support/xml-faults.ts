// Holds a document against what a schema asks, written down as tables of our own: of the elements that
// we write, and no others.
import { XmlElement, XmlText } from '@rgrove/parse-xml';
import { readXml, type XmlNode } from '#networks/bank/read-xml.ts';

type Tables = {
  readonly namespace: string;
  /**
   * Of an element, or of one within another (`Acct/Id`), what may stand in it and in which order:
   * `Name`, `Name?` for one that may be left out, `Name+` for one or more, `Name*` for any number;
   * `A|B`: one of them.
   */
  readonly children: { readonly [path: string]: string };
  readonly texts: { readonly [path: string]: RegExp };
};

/** One sentence a fault; none for a file that the tables take. */
export function faultsOfXml(xml: string, tables: Tables): string[] {
  const { namespace, root } = readXml(new TextEncoder().encode(xml));
  const faults = namespace === tables.namespace ? [] : [`of ${namespace}`];
  return [...faults, ...faultsIn(root, '', tables)];
}

/** Of an element, whatever its namespace: names are as they stand. */
export function faultsIn(
  node: XmlNode,
  parent: string,
  tables: Omit<Tables, 'namespace'>,
): string[] {
  const path = parent === '' ? node.name : `${parent}/${node.name}`;
  const rule = tables.children[path] ?? tables.children[node.name];
  const text = tables.texts[path] ?? tables.texts[node.name];
  const inner = node.children.filter((child) => child instanceof XmlElement);
  const own = node.children.map((child) => (child instanceof XmlText ? child.text : '')).join('');
  if (rule === undefined && text !== undefined) {
    return inner.length === 0 && text.test(own) ? [] : [`<${path}> holds ${own.slice(0, 60)}`];
  }
  if (rule === undefined) return [`<${path}> is not of the table`];
  if (own.trim() !== '') return [`<${path}> holds text`];
  const shape = rule
    .split(' ')
    .map((part) => {
      const [, names = '', many = ''] = /^(.*?)([?+*]?)$/.exec(part) ?? [];
      return `(?:(?:${names}),)${many}`;
    })
    .join('');
  const names = inner.map(({ name }) => `${name},`).join('');
  const faults = new RegExp(`^${shape}$`).test(names) ? [] : [`<${path}> holds ${names}`];
  return [...faults, ...inner.flatMap((child) => faultsIn(child, node.name, tables))];
}
