#include "prove/disk_vfs.hpp"

#include <sqlite3.h>

#include <new>
#include <stdexcept>

namespace tgkeep::prove {

class DiskVfs::Registered {
 public:
  Registered(std::string name, DiskScript& script) : name(std::move(name)), script(script) {}
  std::string name;
  DiskScript& script;
  sqlite3_vfs* real = nullptr;
  sqlite3_vfs vfs{};
};

namespace {

// What SQLite allocates per open file: ours, then the real file.
struct ScriptedFile {
  sqlite3_file base;
  DiskScript* script;
  std::string* path;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  const sqlite3_io_methods* methods() { return real()->pMethods; }
};

ScriptedFile* ours(sqlite3_file* file) {
  return reinterpret_cast<ScriptedFile*>(file);
}

int close_file(sqlite3_file* file) {
  delete ours(file)->path;
  return ours(file)->methods()->xClose(ours(file)->real());
}
int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 place) {
  const int code = ours(file)->script->before_read();
  return code != SQLITE_OK ? code : ours(file)->methods()->xRead(ours(file)->real(), to, size, place);
}
int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 place) {
  const std::string_view bytes(static_cast<const char*>(from), static_cast<std::size_t>(size));
  const int code = ours(file)->script->before_write(*ours(file)->path, place, bytes);
  return code != SQLITE_OK ? code : ours(file)->methods()->xWrite(ours(file)->real(), from, size, place);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  const int code = ours(file)->script->before_truncate(*ours(file)->path, size);
  return code != SQLITE_OK ? code : ours(file)->methods()->xTruncate(ours(file)->real(), size);
}
int sync_file(sqlite3_file* file, int flags) {
  const int code = ours(file)->script->before_sync(*ours(file)->path);
  return code != SQLITE_OK ? code : ours(file)->methods()->xSync(ours(file)->real(), flags);
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

}  // namespace

DiskVfs::DiskVfs(const std::string& name, DiskScript& script, bool is_default)
    : registered_(std::make_unique<Registered>(name, script)) {
  sqlite3_vfs* const real = sqlite3_vfs_find(nullptr);
  registered_->real = real;
  sqlite3_vfs& vfs = registered_->vfs;
  vfs = *real;
  vfs.pNext = nullptr;
  vfs.zName = registered_->name.c_str();
  vfs.szOsFile = static_cast<int>(sizeof(ScriptedFile)) + real->szOsFile;
  vfs.pAppData = registered_.get();
  vfs.xOpen = [](sqlite3_vfs* own, const char* path, sqlite3_file* file, int flags, int* out_flags) {
    auto& registered = *static_cast<Registered*>(own->pAppData);
    ScriptedFile* const opened = ours(file);
    opened->script = &registered.script;
    opened->base.pMethods = nullptr;
    const int code = registered.real->xOpen(registered.real, path, opened->real(), flags, out_flags);
    if (code != SQLITE_OK) return code;
    opened->path = new std::string(path == nullptr ? "" : path);
    opened->base.pMethods = &kMethods;
    return code;
  };
  vfs.xDelete = [](sqlite3_vfs* own, const char* path, int sync_folder) {
    auto& registered = *static_cast<Registered*>(own->pAppData);
    const int code = registered.script.before_remove(path);
    return code != SQLITE_OK ? code : registered.real->xDelete(registered.real, path, sync_folder);
  };
  if (sqlite3_vfs_register(&vfs, is_default ? 1 : 0) != SQLITE_OK)
    throw std::runtime_error("the VFS can't be registered");
}

DiskVfs::~DiskVfs() {
  sqlite3_vfs_unregister(&registered_->vfs);
}

}  // namespace tgkeep::prove
