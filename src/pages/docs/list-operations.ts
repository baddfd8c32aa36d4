import type { ApiReference, ReferenceOperation } from './api-reference.ts';

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
