/** Every call with spoiled values and values by its own schema, as every role; `npm run secure -- fuzz` does more of it. */
import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { fuzzRound } from './testing/fuzz/fuzz-round.ts'

// What one database chokes on, the other may take.
const ROUNDS = ROLES.map((role, at) => [role, at % 2 === 0 ? 'SQLite' : 'PostgreSQL'] as const)

test.each(ROUNDS)(
  'T1 T4 T16 no request makes the API fail, tell what it must not, or change what it refuses: %s on %s',
  async (role, database) => {
    const round = { seed: 1, requests: 150, role, database }
    const { violations, accepted, refused } = await fuzzRound(round)
    expect(violations).toEqual([])
    // Else it proves nothing: all would have been refused at the door.
    expect(accepted).toBeGreaterThan(10)
    expect(refused).toBeGreaterThan(20)
  },
)
