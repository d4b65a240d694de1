import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { REQUIRED_FACTOR_DIALOG } from './required-factor.loader.ts'

/** Nothing for whoever may not require it. */
export function RequiredFactorButton() {
  const [isOpen, setOpen] = useState(false)
  if (!mayDo(useRole(), 'requireSecondFactor')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Required second factor…</Button>
      {isOpen && (
        <LaterDialog part={REQUIRED_FACTOR_DIALOG} props={{ onClose: () => setOpen(false) }} />
      )}
    </>
  )
}
