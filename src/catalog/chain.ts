// A chain is one network in one environment. It is the key of everything that is observed.

export const ENVIRONMENTS = ['test', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export type ChainId = `${Environment}:${string}`;

export function chainOf(environment: Environment, network: string): ChainId {
  return `${environment}:${network}`;
}

export function networkOf(chain: ChainId): string {
  return chain.slice(chain.indexOf(':') + 1);
}

export function environmentOf(chain: ChainId): Environment {
  return chain.startsWith('test:') ? 'test' : 'live';
}
