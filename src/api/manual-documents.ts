// The document of the API with its examples, as programs read it, and without references, as the
// manual shows it.
import { addExamples } from './examples/add-examples.ts';
import { inlineReferences } from './inline-references.ts';
import { openApiDocument } from './openapi-document.ts';
import { ROUTES } from './routes.ts';

export function manualDocuments(publicUrl: string) {
  const apiDocument = addExamples(openApiDocument(ROUTES, publicUrl));
  return { apiDocument, apiReference: inlineReferences(apiDocument) };
}
