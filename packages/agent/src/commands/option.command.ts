/** `{ 'c:v': 'libx264', g: 24 }` as `-c:v libx264 -g 24`, in this order. Keys are never digits. */
export function options(pairs: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(pairs).flatMap(([name, value]) => [`-${name}`, String(value)])
}
