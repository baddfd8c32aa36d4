// The document of the API with its examples, as programs read it, and without references, as the
// manual shows it.
import { addExamples } from './examples/add-examples.ts';
import { inlineReferences } from './inline-references.ts';
import { openApiDocument } from './openapi-document.ts';
import { ROUTES } from './routes.ts';

/** Made when the first page asks for them: half as long as the program takes to load. */
export function manualDocuments(publicUrl: string) {
  let made: ReturnType<typeof makeDocuments> | undefined;
  const documents = () => {
    made ??= makeDocuments(publicUrl);
    return made;
  };
  return {
    apiDocument: () => documents().apiDocument,
    apiReference: () => documents().apiReference,
  };
}

function makeDocuments(publicUrl: string) {
  const apiDocument = addExamples(openApiDocument(ROUTES, publicUrl));
  return { apiDocument, apiReference: inlineReferences(apiDocument) };
}
