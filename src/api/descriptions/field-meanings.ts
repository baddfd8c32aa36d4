/** What fields mean, by the name of their component or of the operation they are a parameter of. */
export type FieldMeanings = {
  readonly [owner: string]: { readonly [field: string]: string };
};
