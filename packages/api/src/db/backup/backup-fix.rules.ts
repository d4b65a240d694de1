/** What to do where a backup could not be written or read: as a service the API may do less than its user. */

/** Of a folder that takes no file; a sentence, or '' where there is nothing to add to the cause. */
export function fixOfFolder(error: unknown, folder: string): string {
  switch (codeIn(error)) {
    case 'EROFS':
      return `A service writes only where its unit lets it: name the folder there, by 'systemctl edit trunkline', as ReadWritePaths=${folder} below [Service], and restart it.`
    case 'EACCES':
    case 'EPERM':
      return `Give the folder to the user that makes the backup, as root: install -d -o trunkline -g trunkline -m 700 ${folder}`
    default:
      return ''
  }
}

/** Of a backup that is not there or cannot be read; '' as above. */
export function fixOfBackup(error: unknown): string {
  switch (codeIn(error)) {
    case 'EACCES':
      return 'Let the user trunkline read it, or copy it to where that user may: /var/lib/trunkline.'
    case 'ENOENT':
      return 'Check the name of the file.'
    default:
      return ''
  }
}

function codeIn(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
