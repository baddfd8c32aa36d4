// The pages of the dashboard over a test app, and people who come into its shop.
import assert from 'node:assert/strict';
import type { Hono } from 'hono';
import { manualDocuments } from '#api/manual-documents.ts';
import { findSeller } from '#merchant/seller.ts';
import type { FindTextRecords } from '#merchant/verify-domain.ts';
import { createPages } from '#pages/create-pages.ts';
import type { LookLine } from '#pages/operator-port.ts';
import { operatorPort } from '#server/operator-port.ts';
import { invite } from '#staff/invitation.ts';
import type { StaffRole } from '#staff/role.ts';
import { type DashboardBrowser, openDashboardBrowser } from './dashboard-browser.ts';
import { openTestApp, type TestApp } from './test-app.ts';

export const PASSWORD = 'four horses eat blue grass';

export type DashboardWorld = TestApp & {
  readonly pages: Hono;
  /** Path of the shop's rooms with test money. */
  readonly shop: string;
  open(): DashboardBrowser;
  /** Whoever opened the link of an invitation, with a password. */
  comeAs(role: StaffRole, name?: string, merchantId?: string): Promise<DashboardBrowser>;
};

type WorldParts = {
  /** What name servers say; nobody answers when absent. */
  readonly findTextRecords?: FindTextRecords;
  /** From where requests come; all from one place when absent. */
  readonly clientAddressOf?: () => string;
  /** There is a mail server; none when absent. */
  readonly hasMail?: boolean;
  /** How who signs, gas and the last backup were found; as the database says when absent. */
  readonly looks?: readonly LookLine[];
  /** Where a browser finds the pages. */
  readonly publicUrl?: string;
};

export async function openDashboardWorld(parts: WorldParts = {}): Promise<DashboardWorld> {
  const world = await openTestApp();
  const { app, caller } = world;
  const port = operatorPort(app, []);
  const { looks } = parts;
  const operator = looks === undefined ? port : { ...port, listLooks: async () => looks };
  const pages = createPages({
    ...app,
    ...parts,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    apiReference: manualDocuments(app.publicUrl).apiReference,
    operator,
    demo: undefined,
  });
  const open = () => openDashboardBrowser((request) => pages.fetch(request));
  return {
    ...world,
    pages,
    shop: `/dashboard/shop/${caller.merchantId}/test`,
    open,
    async comeAs(role, name = role.toLowerCase(), merchantId = caller.merchantId) {
      const email = `${name}@shop.example`;
      const asked = { email, name, isOperator: false, membership: { merchantId, role } };
      const { token } = await invite(app, 'tester', asked);
      const browser = open();
      const path = `/dashboard/invitation/${token}`;
      const welcome = await browser.get(path);
      assert.equal(welcome.status, 200);
      const accepted = await browser.submit(path, { name, password: PASSWORD, way: 'password' });
      assert.equal(accepted.status, 303, accepted.markup);
      return browser;
    },
  };
}
