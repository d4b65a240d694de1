/** Why a step of a sign-in failed, below its button. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CANNOT_CONTACT } from '../lib/api-error.ts'
import { Shape } from '../ui/symbol/Shape.tsx'
import { healthQuery } from './session.queries.ts'
import classes from './LoginPage.module.css'

/** `sentence`: '' for none; the place is kept, so that nothing moves. */
export function SignInFailure({ sentence }: { sentence: string }) {
  const client = useQueryClient()
  useEffect(() => {
    // The foot of the page must not go on saying that the server is reachable.
    if (sentence === CANNOT_CONTACT) void client.invalidateQueries(healthQuery())
  }, [client, sentence])
  return (
    <div className={classes.failure} role="alert">
      {sentence !== '' && (
        <>
          <Shape shape="octagon" family="bad" size={16} />
          {sentence}
        </>
      )}
    </div>
  )
}
