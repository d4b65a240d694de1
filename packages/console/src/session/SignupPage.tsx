/** Q5: nobody signs up; the page says who makes accounts. */
import { Link } from '@tanstack/react-router'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { useSession } from '../lib/session.ts'
import { Redirect } from '../shared/page/Redirect.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import classes from './LoginPage.module.css'

export function SignupPage() {
  if (useSession() !== null) return <Redirect to="/" from="" />
  return (
    <SignInFrame
      title={`An account for ${PRODUCT_NAME}`}
      lead="Accounts are created by an admin. Ask the admin of your group for one."
    >
      <Link to="/login" className={classes.back}>
        Back to sign in
      </Link>
    </SignInFrame>
  )
}
