import type { Environment } from './chain.ts';

/** Whose something is: what belongs to another merchant or environment does not exist (E9). */
export type Owner = { readonly merchantId: string; readonly environment: Environment };
