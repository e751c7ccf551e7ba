#include "failing_vfs.hpp"

#include <sqlite3.h>

#include <stdexcept>

namespace tgkeep::store {

namespace {

// What SQLite allocates per open file: ours, then the real file.
struct FailingFile {
  sqlite3_file base;
  Faults* faults;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  const sqlite3_io_methods* methods() { return real()->pMethods; }
};

FailingFile* ours(sqlite3_file* file) {
  return reinterpret_cast<FailingFile*>(file);
}

int close_file(sqlite3_file* file) {
  return ours(file)->methods()->xClose(ours(file)->real());
}

int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 place) {
  if (ours(file)->faults->strikes(Faults::Kind::read_fails)) return SQLITE_IOERR_READ;
  return ours(file)->methods()->xRead(ours(file)->real(), to, size, place);
}

int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 place) {
  Faults& faults = *ours(file)->faults;
  faults.count_write();
  if (faults.strikes(Faults::Kind::write_fails)) return SQLITE_IOERR_WRITE;
  if (faults.strikes(Faults::Kind::disk_full)) return SQLITE_FULL;
  return ours(file)->methods()->xWrite(ours(file)->real(), from, size, place);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  return ours(file)->methods()->xTruncate(ours(file)->real(), size);
}

int sync_file(sqlite3_file* file, int flags) {
  Faults& faults = *ours(file)->faults;
  faults.count_sync();
  if (faults.strikes(Faults::Kind::sync_fails)) return SQLITE_IOERR_FSYNC;
  return ours(file)->methods()->xSync(ours(file)->real(), flags);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return ours(file)->methods()->xFileSize(ours(file)->real(), size);
}
int lock_file(sqlite3_file* file, int level) {
  return ours(file)->methods()->xLock(ours(file)->real(), level);
}
int unlock_file(sqlite3_file* file, int level) {
  return ours(file)->methods()->xUnlock(ours(file)->real(), level);
}
int reserved_lock(sqlite3_file* file, int* out) {
  return ours(file)->methods()->xCheckReservedLock(ours(file)->real(), out);
}
int file_control(sqlite3_file* file, int operation, void* argument) {
  return ours(file)->methods()->xFileControl(ours(file)->real(), operation, argument);
}
int sector_size(sqlite3_file* file) {
  return ours(file)->methods()->xSectorSize(ours(file)->real());
}
int characteristics(sqlite3_file* file) {
  return ours(file)->methods()->xDeviceCharacteristics(ours(file)->real());
}
int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return ours(file)->methods()->xShmMap(ours(file)->real(), page, size, extend, out);
}
int lock_shared(sqlite3_file* file, int offset, int n, int flags) {
  return ours(file)->methods()->xShmLock(ours(file)->real(), offset, n, flags);
}
void barrier(sqlite3_file* file) {
  ours(file)->methods()->xShmBarrier(ours(file)->real());
}
int unmap_shared(sqlite3_file* file, int remove) {
  return ours(file)->methods()->xShmUnmap(ours(file)->real(), remove);
}

const sqlite3_io_methods kMethods{
    2,           close_file,  read_file,     write_file,   truncate_file, sync_file,       file_size,
    lock_file,   unlock_file, reserved_lock, file_control, sector_size,   characteristics, map_shared,
    lock_shared, barrier,     unmap_shared,  nullptr,      nullptr};

sqlite3_vfs* real_vfs() {
  return sqlite3_vfs_find(nullptr);
}

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  FailingFile* opened = ours(file);
  opened->faults = static_cast<Faults*>(vfs->pAppData);
  opened->base.pMethods = nullptr;
  const int code = real_vfs()->xOpen(real_vfs(), name, opened->real(), flags, out_flags);
  if (code == SQLITE_OK) opened->base.pMethods = &kMethods;
  return code;
}

sqlite3_vfs registered;

}  // namespace

FailingVfs::FailingVfs() {
  registered = *real_vfs();
  registered.pNext = nullptr;
  registered.zName = kName;
  registered.szOsFile = static_cast<int>(sizeof(FailingFile)) + real_vfs()->szOsFile;
  registered.pAppData = &faults;
  registered.xOpen = open_file;
  if (sqlite3_vfs_register(&registered, 0) != SQLITE_OK)
    throw std::runtime_error("the VFS can't be registered");
}

FailingVfs::~FailingVfs() {
  sqlite3_vfs_unregister(&registered);
}

}  // namespace tgkeep::store
