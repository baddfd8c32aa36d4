import { z } from 'zod';
import { callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { fields, omittable } from '#money/exact-schema.ts';
import {
  type Beneficiary,
  beneficiaryView,
  hideBeneficiary,
  listBeneficiaries,
  requireBeneficiary,
} from '#people/beneficiary.ts';
import {
  beneficiaryAccountSchema,
  beneficiaryRequestSchema,
  createBeneficiary,
} from '#people/create-beneficiary.ts';
import {
  deletedId,
  deletionFields,
  idReference,
  named,
  nextCursor,
  pageQuery,
  parsePage,
  shownId,
} from './shared-fields.ts';

const beneficiarySchema = z
  .object({
    id: shownId,
    label: z.string(),
    network: z.string(),
    account: beneficiaryAccountSchema,
    timestamp: z.string(),
    usableTime: z.string(),
  })
  .meta({ id: 'Beneficiary' });

const beneficiaryReference = z
  .object({ beneficiaryId: shownId })
  .meta({ id: 'BeneficiaryReference' });

export const postBeneficiary = protectedEndpoint({
  method: 'POST',
  path: '/beneficiary',
  operationId: 'createBeneficiary',
  auth: 'money',
  summary: 'Create a beneficiary: somebody money may be sent to',
  request: beneficiaryRequestSchema,
  response: beneficiaryReference,
  // What an account may hold depends on the environment of the caller.
  parse: (body): ExactJson => body,
  async handle(app, { caller }, body) {
    const act = {
      ...{ ...callerOf(caller), verb: 'beneficiary-create' },
      subject: ({ id }: Beneficiary) => `beneficiary:${id}`,
    };
    const { id } = await doNoted(app, act, (within) => createBeneficiary(within, caller, body));
    return { beneficiaryId: id };
  },
});

export const deleteBeneficiary = protectedEndpoint({
  method: 'DELETE',
  path: '/beneficiary',
  operationId: 'deleteBeneficiary',
  auth: 'money',
  summary: 'Delete a beneficiary: `{ id }` or `{ beneficiary: { id } }`',
  request: fields({ ...deletionFields, beneficiary: omittable(fields(deletionFields)) }),
  documented: idReference,
  response: beneficiaryReference,
  async handle(app, { caller }, { id, beneficiary }) {
    const beneficiaryId = deletedId({ id, beneficiary });
    const act = { ...callerOf(caller), verb: 'beneficiary-delete' };
    await doNoted(app, { ...act, subject: `beneficiary:${beneficiaryId}` }, (within) =>
      hideBeneficiary(within, caller, beneficiaryId),
    );
    return { beneficiaryId };
  },
});

export const getBeneficiary = protectedEndpoint({
  method: 'GET',
  path: '/beneficiary',
  operationId: 'getBeneficiary',
  auth: 'read',
  summary: 'A beneficiary by its id',
  request: fields(named),
  response: z.object({ beneficiary: beneficiarySchema }).meta({ id: 'BeneficiaryAnswer' }),
  async handle(app, { caller }, { id }) {
    return { beneficiary: beneficiaryView(await requireBeneficiary(app, caller, id)) };
  },
});

export const getBeneficiaries = protectedEndpoint({
  method: 'GET',
  path: '/beneficiaries',
  operationId: 'listBeneficiaries',
  auth: 'read',
  summary: 'Beneficiaries, newest first',
  request: fields(pageQuery),
  response: z
    .object({ beneficiaries: z.array(beneficiarySchema), nextCursor })
    .meta({ id: 'BeneficiaryPage' }),
  async handle(app, { caller }, input) {
    const page = await listBeneficiaries(app, caller, parsePage(input));
    return {
      beneficiaries: page.beneficiaries.map(beneficiaryView),
      nextCursor: page.nextCursor,
    };
  },
});
