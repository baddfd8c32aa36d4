import { type DeepPartial, EntityId, type ID, Money, VendureEntity } from '@vendure/core';
import { Column, Entity } from 'typeorm';

/**
 * A checkout of the service that was created for an order, and whether it has become its payment.
 */
@Entity('quittance_order_checkout')
export class OrderCheckout extends VendureEntity {
  constructor(input?: DeepPartial<OrderCheckout>) {
    super(input);
  }

  @EntityId()
  orderId!: ID;

  @Column('varchar')
  orderCode!: string;

  @Column('varchar')
  channelToken!: string;

  @Column('varchar', { unique: true })
  checkoutId!: string;

  /** Page where the customer pays. */
  @Column('varchar')
  url!: string;

  /** As Vendure keeps amounts: whole units. */
  @Money()
  units!: number;

  /** The same as the service charges it. */
  @Column('varchar')
  total!: string;

  @Column('varchar')
  currency!: string;

  /** Set with the payment, in one transaction: of two webhooks at once only one changes it. */
  @Column('boolean', { default: false })
  isSettled!: boolean;
}
