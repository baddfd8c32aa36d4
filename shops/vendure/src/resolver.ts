import { Inject } from '@nestjs/common';
import { Mutation, Resolver } from '@nestjs/graphql';
import {
  ActiveOrderService,
  Allow,
  Ctx,
  Permission,
  type RequestContext,
  UserInputError,
} from '@vendure/core';
import { parse } from 'graphql';
import { Checkouts } from './checkouts.ts';

export const SHOP_SCHEMA = parse(`
  "Where the customer pays the active order."
  type QuittanceCheckout {
    checkoutId: String!
    url: String!
    total: String!
    currency: String!
  }
  extend type Mutation {
    "Creates the checkout of the active order, or gives the one that it has."
    createQuittanceCheckout: QuittanceCheckout!
  }
`);

@Resolver()
export class CheckoutResolver {
  constructor(
    @Inject(ActiveOrderService) private readonly activeOrders: ActiveOrderService,
    @Inject(Checkouts) private readonly checkouts: Checkouts,
  ) {}

  @Mutation()
  @Allow(Permission.Owner)
  async createQuittanceCheckout(@Ctx() ctx: RequestContext) {
    const order = await this.activeOrders.getActiveOrder(ctx, undefined);
    if (order === undefined) throw new UserInputError('There is no active order.');
    return await this.checkouts.openCheckout(ctx, order);
  }
}
