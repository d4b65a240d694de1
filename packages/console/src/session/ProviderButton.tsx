/** The other way to sign in, where the site has a provider; and the way out of a session there. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceFor } from '../lib/api-error.ts'
import { goToProvider } from '../shared/provider/go-to-provider.ts'
import { Button } from '../ui/button/Button.tsx'
import { forgetSignOutUrl, useSignOutUrl } from './provider-sign-out.ts'
import { PROVIDER_FAILED } from './session.messages.ts'
import { signInWaysQuery } from './session.queries.ts'
import classes from './LoginPage.module.css'

interface ProviderButtonProps {
  /** The page that was asked for; '' for none. */
  from: string
  onFailure: (sentence: string) => void
}

export function ProviderButton({ from, onFailure }: ProviderButtonProps) {
  const { data } = useQuery(signInWaysQuery())
  const [isPending, setPending] = useState(false)
  const name = data?.provider?.name
  if (name === undefined) return null
  const go = async () => {
    if (isPending) return
    setPending(true)
    onFailure('')
    try {
      await goToProvider({ from, again: false })
    } catch (error) {
      onFailure(sentenceFor(error, PROVIDER_FAILED))
      setPending(false)
    }
  }
  return (
    <div className={classes.provider}>
      <Button size={44} onClick={() => void go()}>
        {isPending ? `Opening ${name}` : `Sign in with ${name}`}
      </Button>
      <SignOutThere name={name} />
    </div>
  )
}

/** Whoever signed out here is still signed in there: the next click would sign them in again. */
function SignOutThere({ name }: { name: string }) {
  const url = useSignOutUrl()
  if (url === null) return null
  return (
    <p>
      You may still be signed in at {name}.{' '}
      <a href={url} onClick={forgetSignOutUrl}>
        Sign out of {name}
      </a>
    </p>
  )
}
