import { ENDPOINTS, ReportsMethods } from './generated/methods.ts';
import type { CallOptions } from './options.ts';

export type ReportName =
  | 'balances'
  | 'ledger'
  | 'settlements'
  | 'fees'
  | 'taxes'
  | 'conversions'
  | 'gains';

export type ReportDocument = {
  readonly text: string;
  /** `text/csv; charset=utf-8` and others. */
  readonly contentType: string;
  /** For the next part of it; null with the last one. */
  readonly nextCursor: string | null;
};

export class ReportsResource extends ReportsMethods {
  /** A report as a document: `format` says which, as `csv`. */
  async document(
    name: ReportName,
    parameters: { readonly format: string; readonly [parameter: string]: unknown },
    options?: CallOptions,
  ): Promise<ReportDocument> {
    const { text, headers } = await this.caller.send(
      ENDPOINTS[`reports.${name}`],
      parameters,
      options,
    );
    return {
      text,
      contentType: headers.get('content-type') ?? '',
      nextCursor: headers.get('x-next-cursor'),
    };
  }
}
