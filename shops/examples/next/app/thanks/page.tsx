import { notFound } from 'next/navigation';
import { findOrder } from '../../shop/orders';
import { settle } from '../../shop/settle';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Anybody can open this address: what it says is what the service says. */
export default async function Page({ searchParams }: Props) {
  const { order: number } = await searchParams;
  const order = findOrder(String(number));
  if (order === undefined) notFound();
  await settle(order);
  const isPaid = findOrder(order.number)?.state === 'paid';
  return <p>{isPaid ? 'Thank you. Your book is on its way.' : 'We wait for your payment.'}</p>;
}
