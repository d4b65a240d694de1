import { later } from '../../lib/later.ts'

export const WHY_NOT_HERE = later(
  'why a form does not open',
  async () => (await import('./WhyNotHere.tsx')).WhyNotHere,
)
