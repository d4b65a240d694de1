import { networkInterfaces } from 'node:os'

export interface Adapter {
  name: string
  ip: string
}

/** Every IPv4 address of this host with its device's name; the tools know no IPv6. */
export function adapters(): Adapter[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter((address) => address.family === 'IPv4')
      .map((address) => ({ name, ip: address.address })),
  )
}
