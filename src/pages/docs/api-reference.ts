// The parts of the OpenAPI document that the reference shows; any document with these will do.

export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
};

export type ReferenceOperation = {
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: ReferenceContent };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: ReferenceContent }>
  >;
  readonly 'x-replay-class': string;
  readonly 'x-scope': string;
};

type ReferenceContent = { readonly 'application/json': { readonly schema: JsonSchema } };

export type ApiReference = {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
  readonly 'x-error-codes': readonly {
    readonly status: number;
    readonly code: string;
    readonly meaning: string;
  }[];
};
