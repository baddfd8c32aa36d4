// The parts of the OpenAPI document that the reference shows; any document with these will do.

export type ShownSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ShownSchema[];
  readonly description?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[];
  readonly items?: ShownSchema;
};

export type ReferenceOperation = {
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: ShownSchema;
  }[];
  readonly requestBody?: { readonly content: ReferenceContent };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: ReferenceContent }>
  >;
  readonly 'x-replay-class'?: string;
  readonly 'x-scope': string;
  readonly 'x-recorded-request'?: string;
};

export type ReferenceContent = {
  readonly 'application/json': {
    readonly schema: ShownSchema;
    readonly examples?: { readonly [name: string]: { readonly value: unknown } };
  };
};

export type ApiReference = {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly summary: string;
          readonly requestBody: { readonly content: ReferenceContent };
        };
      }
    >
  >;
  readonly 'x-error-codes': readonly {
    readonly status: number;
    readonly code: string;
    readonly meaning: string;
  }[];
};

export type ListedOperation = {
  /** In addresses: `post-checkout-commit`. */
  readonly id: string;
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly operation: ReferenceOperation;
};

export function listOperations({ paths }: ApiReference): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: `${method}${path.replaceAll(/[^a-z0-9]+/gi, '-')}`.replace(/-$/, ''),
      group: path.split('/')[1] ?? '',
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}
