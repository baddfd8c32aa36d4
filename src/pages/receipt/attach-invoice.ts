// The electronic invoice inside a PDF, as Factur-X 1.0 (ZUGFeRD 2) asks: a file of that name, an
// alternative of what is drawn, and metadata that names it with a schema of its own (PDF/A-3).
import type { PaperAttachment } from './paper.ts';

/** The name that readers look for. */
const NAME = 'factur-x.xml';
const SPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
const PROPERTIES = [
  ['DocumentFileName', 'name of the embedded XML invoice file', NAME],
  ['DocumentType', 'INVOICE', 'INVOICE'],
  ['Version', 'version of the XML schema', '1.0'],
  ['ConformanceLevel', 'conformance level of the XML', 'EN 16931'],
] as const;

export function attachInvoice(
  sheet: PDFKit.PDFDocument,
  { xml }: PaperAttachment,
  issuedAt: Temporal.Instant,
): void {
  const at = new Date(issuedAt.epochMilliseconds);
  const options = {
    name: NAME,
    type: 'text/xml',
    relationship: 'Alternative',
    description: 'Factur-X',
    creationDate: at,
    modifiedDate: at,
  } as const;
  sheet.file(Buffer.from(xml), options);
  sheet.appendXML(extensionSchema());
  const said = PROPERTIES.map(([name, , value]) => `<fx:${name}>${value}</fx:${name}>`).join('');
  sheet.appendXML(`<rdf:Description rdf:about="" xmlns:fx="${SPACE}">${said}</rdf:Description>`);
}

function extensionSchema(): string {
  const properties = PROPERTIES.map(
    ([name, description]) =>
      '<rdf:li rdf:parseType="Resource">' +
      `<pdfaProperty:name>${name}</pdfaProperty:name>` +
      '<pdfaProperty:valueType>Text</pdfaProperty:valueType>' +
      '<pdfaProperty:category>external</pdfaProperty:category>' +
      `<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  ).join('');
  const namespace = 'http://www.aiim.org/pdfa/ns';
  return (
    `<rdf:Description rdf:about="" xmlns:pdfaExtension="${namespace}/extension/" ` +
    `xmlns:pdfaSchema="${namespace}/schema#" xmlns:pdfaProperty="${namespace}/property#">` +
    '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">' +
    '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
    `<pdfaSchema:namespaceURI>${SPACE}</pdfaSchema:namespaceURI>` +
    '<pdfaSchema:prefix>fx</pdfaSchema:prefix>' +
    `<pdfaSchema:property><rdf:Seq>${properties}</rdf:Seq></pdfaSchema:property>` +
    '</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>'
  );
}
