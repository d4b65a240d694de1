/** New recovery codes, shown once. */
import { RecoveryCodeList } from '../../shared/second-factor/RecoveryCodeList.tsx'
import { PageGuard } from '../../shared/page/PageGuard.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'

interface RecoveryCodesProps {
  title: string
  lead: string
  codes: readonly string[]
  onClose: () => void
}

export function RecoveryCodes({ title, lead, codes, onClose }: RecoveryCodesProps) {
  return (
    <ResultDialog title={title} subtitle="" isShownOnce onClose={onClose}>
      <PageGuard mayLeave={() => false} />
      <p role="status">{lead}</p>
      <RecoveryCodeList codes={codes} />
    </ResultDialog>
  )
}
