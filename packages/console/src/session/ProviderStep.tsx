/** Back from the provider: its answer is exchanged for a session. */
import { useNavigate } from '@tanstack/react-router'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { useEffect, useState } from 'react'
import { endAtProvider, pageBeforeProvider } from './provider-sign-in.ts'
import { PROVIDER_LEAD } from './session.messages.ts'
import { SignInFrame } from './SignInFrame.tsx'

interface ProviderStepProps {
  answer: string
  /** '' when a session has begun; else to the sign-in form, with the reason. */
  onEnd: (sentence: string) => void
}

export function ProviderStep({ answer, onEnd }: ProviderStepProps) {
  const navigate = useNavigate()
  const [from] = useState(pageBeforeProvider)
  useEffect(() => {
    // The answer leaves the address, and so the history of the browser.
    void navigate({ to: '/login', replace: true, state: from === '' ? {} : { from } })
    void endAtProvider(answer).then(onEnd)
    // oxlint-disable-next-line react/exhaustive-deps -- once per answer
  }, [answer])
  return (
    <SignInFrame title={`Sign in to ${PRODUCT_NAME}`} lead={PROVIDER_LEAD}>
      <p role="status">Signing in</p>
    </SignInFrame>
  )
}
