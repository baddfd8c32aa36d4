import { z } from 'zod';

export type JsonSchema = { readonly [name: string]: unknown };

/** What zod cannot say is checked all the same: the document then promises less than is checked. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
