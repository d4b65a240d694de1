/** Why a step of a sign-in failed, below its button. */
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './LoginPage.module.css'

/** `sentence`: '' for none; the place is kept, so that nothing moves. */
export function SignInFailure({ sentence }: { sentence: string }) {
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
