import { findOrder } from '../../../shop/orders';

type Place = { params: Promise<{ number: string }> };

export async function GET(_request: Request, { params }: Place): Promise<Response> {
  const { number } = await params;
  const order = findOrder(number);
  if (order === undefined) return Response.json({ error: 'no such order' }, { status: 404 });
  return Response.json({ order: order.number, state: order.state });
}
