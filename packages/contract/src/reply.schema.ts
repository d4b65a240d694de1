/** What a call that succeeded answers: its status beside what it was asked for. */
import { z } from 'zod'

export function success<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({ status: z.literal(true), ...shape })
}
